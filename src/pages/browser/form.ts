import { enhanceCardForm } from './card-form.ts'
import { sendFormsByFetch } from './submit.ts'

// Forms work without this script, and the server validates all fields again.
const cardForm = document.querySelector<HTMLFormElement>('form[data-now]')
if (cardForm !== null) enhanceCardForm(cardForm)
sendFormsByFetch()
