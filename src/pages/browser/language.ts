// The form in the footer works without this script, which is part of the form.
const form = document.querySelector('.foot form') as HTMLFormElement
const button = form.lastElementChild as HTMLElement
button.remove()
form.onchange = () => {
  if (!button.isConnected) form.submit()
}
// Arrow keys change a closed select at every press, so keyboard users get the button back.
form.onkeydown = ({ key }) => {
  if (!/Tab|Shift/.test(key) && !button.isConnected) form.append(button)
}
// The back button restores the choice that led to the next page.
addEventListener('pageshow', () => form.reset())
