/** Lets each operation of the page send its request to this server with an API key that the reader enters. */

const KEY_ITEM = 'paycli-api-key'

for (const details of document.querySelectorAll<HTMLDetailsElement>('details.try')) {
  details.hidden = false
  details.addEventListener('toggle', () => createAttempt(details), { once: true })
}

/** Adds the fields and the button of an operation. The fields are outside of a form, so no URL can contain the key. */
function createAttempt(details: HTMLDetailsElement): void {
  const { method = 'GET', path = '', body = '' } = details.dataset
  const key = addField(details, 'API key (paycli status --field api_key)', 'input')
  key.setAttribute('type', 'password')
  // Store the key for this tab only, so that the other pages of the reference can use the key.
  key.value = sessionStorage.getItem(KEY_ITEM) ?? ''
  const id = path.includes('{id}') ? addField(details, 'id', 'input') : null
  const query = body === '' ? addField(details, 'Query, such as limit=3', 'input') : null
  const json = body === '' ? null : addField(details, 'Body', 'textarea')
  if (json !== null) json.value = body
  const button = document.createElement('button')
  button.textContent = `Send ${method}`
  const output = document.createElement('output')
  details.append(button, output)
  button.addEventListener('click', async () => {
    sessionStorage.setItem(KEY_ITEM, key.value)
    output.textContent = 'Waiting for the response…'
    const target = path.replace('{id}', encodeURIComponent(id?.value.trim() ?? ''))
    const search = query?.value ? `?${query.value}` : ''
    const headers = { Authorization: `Bearer ${key.value.trim()}`, 'Content-Type': 'application/json' }
    try {
      const response = await fetch(target + search, { method, headers, body: json?.value ?? null })
      const text = await response.text()
      output.textContent = `${response.status} ${response.statusText}\n\n${format(text)}`
    } catch (error) {
      output.textContent = `No response: ${error}`
    }
  })
}

function addField<Tag extends 'input' | 'textarea'>(
  details: HTMLElement,
  label: string,
  tag: Tag,
): HTMLElementTagNameMap[Tag] {
  const field = document.createElement(tag)
  field.autocomplete = 'off'
  field.spellcheck = false
  const element = document.createElement('label')
  element.append(label, field)
  details.append(element)
  return field
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
