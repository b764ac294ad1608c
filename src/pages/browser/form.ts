import { enhanceCardForm } from './card-form.ts'
import { sendFormsByFetch } from './submit.ts'

// Forms work without this script, and the server checks everything again.
const cardForm = document.querySelector<HTMLFormElement>('form[data-now]')
if (cardForm !== null) enhanceCardForm(cardForm)
sendFormsByFetch()
