import { enhanceCardForm } from './card-form.ts'

// Forms work without this script, and the server checks everything again.
const cardForm = document.querySelector<HTMLFormElement>('form[data-now]')
if (cardForm !== null) enhanceCardForm(cardForm)
for (const form of document.forms) preventSecondSubmit(form)

function preventSecondSubmit(form: HTMLFormElement): void {
  let pressed: { readonly button: HTMLElement; readonly label: string | null } | null = null
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    if (form.dataset['sent']) return event.preventDefault()
    form.dataset['sent'] = 'yes'
    const button = event.submitter
    const { working } = form.dataset
    if (button === null || working === undefined) return
    pressed = { button, label: button.textContent }
    button.textContent = working
    button.setAttribute('aria-disabled', 'true')
  })
  // The back button restores the page with its disabled button.
  addEventListener('pageshow', () => {
    delete form.dataset['sent']
    if (pressed === null) return
    pressed.button.textContent = pressed.label
    pressed.button.removeAttribute('aria-disabled')
    pressed = null
  })
}
