import type { Customer } from '../../domain/payments/customers.ts'
import { get, type Page } from './api-client.ts'
import { nextOf } from './payment-source.ts'
import type { PageSource } from './use-pages.ts'

const LIMIT = 50
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Creates the source of customers that have a text in their e-mail address, name or id. */
export function customerSource(text: string): PageSource<Customer> {
  // The API finds a whole address among all customers; a part of one is searched page by page.
  const query = EMAIL.test(text) ? { email: text } : {}
  const wanted = text.toLowerCase()
  return {
    key: text,
    isWanted: ({ id, email, name }) =>
      [id, email, name ?? ''].some((value) => value.toLowerCase().includes(wanted)),
    isRelevant: ({ type }) => type.startsWith('customer.'),
    async readPage(after, signal) {
      const position = { limit: LIMIT, starting_after: after ?? undefined }
      const page = await get<Page<Customer>>('/v1/customers', { ...query, ...position }, signal)
      return { items: page.data, next: nextOf(page) }
    },
  }
}
