import { type HttpResponse, sendRequest } from './raw-http.ts'

/** Returns the form fields of a card. */
export function cardFields(number: string): Readonly<Record<string, string>> {
  return { number, expiry: '12/31', cvc: '123', name: 'Ada' }
}

/** Requests a page with a form without a browser, and resolves with its form token. */
export async function openForm(url: string): Promise<string> {
  const { text } = await sendRequest(url)
  const [, token] = /name="form_token"[^>]* value="([^"]+)"/.exec(text) ?? []
  if (token === undefined) throw new Error(`no form at ${url}: ${text}`)
  return token
}

/** Posts a form as the page does in a browser, without following redirects. */
export function sendForm(
  url: string,
  form_token: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  return sendRequest(url, {
    method: 'POST',
    headers: {
      Origin: new URL(url).origin,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams({ form_token, ...fields }).toString(),
  })
}
