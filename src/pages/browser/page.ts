// Without this script, the form in the footer keeps its button.
const form = document.querySelector('.foot form') as HTMLFormElement
const button = form.lastElementChild as HTMLElement
button.remove()
form.onchange = () => {
  if (!button.isConnected) form.submit()
}
// Arrow keys change a closed select with every key press, so keyboard users get the button back.
form.onkeydown = ({ key }) => {
  if (!/Tab|Shift/.test(key) && !button.isConnected) form.append(button)
}
// After a click on the back button, browsers restore the selected language, which no longer matches the page.
addEventListener('pageshow', () => form.reset())

// Without this script, a print button would have no effect, so the button is hidden.
const printButton = document.querySelector<HTMLElement>('[data-print]')
if (printButton) {
  printButton.hidden = false
  printButton.onclick = () => print()
}
