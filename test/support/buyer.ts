import { type Answer, ask } from './wire.ts'

/** A card as a buyer types it into the form. */
export function cardFields(number: string): Readonly<Record<string, string>> {
  return { number, exp_month: '12', exp_year: '2031', cvc: '123', name: 'Ada' }
}

/** Opens a page with a form, without a browser, and resolves with the token it carries. */
export async function openForm(url: string): Promise<string> {
  const { text } = await ask(url)
  const [, token] = /name="form_token"[^>]* value="([^"]+)"/.exec(text) ?? []
  if (token === undefined) throw new Error(`no form at ${url}: ${text}`)
  return token
}

/** Sends a form as the page itself does in a browser, and follows nothing. */
export function sendForm(
  url: string,
  form_token: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  return ask(url, {
    method: 'POST',
    headers: {
      Origin: new URL(url).origin,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ form_token, ...fields }).toString(),
  })
}
