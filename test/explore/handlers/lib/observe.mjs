// Prints the orders of the app.
const response = await fetch(`http://127.0.0.1:${process.env.PORT}/debug/orders`)
process.stdout.write(await response.text())
