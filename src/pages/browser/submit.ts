/** The time in milliseconds that the browser waits for the response to a form. */
const TIMEOUT_MS = 60_000
/** The time in milliseconds that a button shows its check mark before the browser opens the result. */
const TICK_MS = 400

const texts = document.body.dataset
// Announce the state of a form, because screen readers do not read the changed text of a button.
const status = createElement('div')
let restore: (() => void) | null = null

/**
 * Sends the forms of the page with fetch, so that a lost connection keeps the entered values. The server applies each
 * form once, so a form can safely be sent again.
 */
export function sendFormsByFetch(): void {
  status.className = 'announced'
  status.role = 'status'
  document.querySelector('main')?.append(status)
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    if (event.defaultPrevented || form.method !== 'post' || button === null) return
    event.preventDefault()
    if (restore !== null) return
    restore = disable(button)
    void send(form, button)
  })
  // The back button restores the page with its disabled button.
  addEventListener('pageshow', () => restore?.())
}

async function send(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  let failure = [texts['lost'], texts['how']]
  try {
    const response = await post(form, button)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (response.redirected) {
      // Only the page of a successful result has a `good` mark, unlike declines, 3-D Secure and processing payments.
      if (page.querySelector('.mark.good') !== null) {
        showState(button, 'done')
        await new Promise((resolve) => setTimeout(resolve, TICK_MS))
      }
      return location.assign(response.url)
    }
    const found = [...page.querySelectorAll('.outcome h1, .outcome > p')]
    if (found.length > 0) failure = found.map(({ textContent }) => textContent)
  } catch {
    // The connection was lost, or the response took too long.
  }
  restore?.()
  showFailure(form, button, failure)
}

function post(form: HTMLFormElement, button: HTMLButtonElement): Promise<Response> {
  const fields = new FormData(form)
  if (button.name) fields.append(button.name, button.value)
  return fetch(button.getAttribute('formaction') ?? form.action, {
    method: 'POST',
    headers: { Accept: 'text/html' },
    // The cast is safe, because the forms contain no files.
    body: new URLSearchParams(fields as unknown as Record<string, string>),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

/** Disables a button and shows that its form is being sent. Returns a function that restores the button. */
function disable(button: HTMLButtonElement): () => void {
  const label = [...button.childNodes]
  const { width, height } = button.getBoundingClientRect()
  button.style.cssText = `width:${width}px;height:${height}px`
  button.ariaDisabled = 'true'
  showState(button, 'working')
  return () => {
    restore = null
    button.replaceChildren(...label)
    button.style.cssText = ''
    button.ariaDisabled = null
    delete button.dataset['state']
    status.textContent = ''
  }
}

function showState(button: HTMLButtonElement, state: 'working' | 'done'): void {
  button.dataset['state'] = state
  status.textContent = button.textContent = texts[state] ?? ''
}

/** Shows a title and text above the form, with a button that sends the form again. */
function showFailure(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  [title, ...paragraphs]: readonly (string | undefined)[],
): void {
  const notice = createElement('div')
  const again = createElement('button', texts['again'])
  again.className = 'quiet'
  again.addEventListener('click', () => {
    // Move the focus, because the notice may disappear.
    button.focus()
    form.requestSubmit(button)
  })
  notice.id = notice.className = 'notice'
  notice.role = 'alert'
  notice.append(createElement('strong', title), ` ${paragraphs.join(' ')}`, again)
  document.getElementById('notice')?.remove()
  form.before(notice)
  notice.scrollIntoView({ block: 'nearest' })
}

function createElement(name: string, text = ''): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  return element
}
