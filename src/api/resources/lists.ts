import { type Exactly, type Fields, many, only, resource, words, yesNo } from './fields.ts'

/** One page of a list, newest first. */
export interface List<T> {
  readonly object: 'list'
  readonly url: string
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** A page of resources. */
export function listOf<T>(item: Fields<T>): Exactly<List<T>> {
  return resource<List<T>>(`${item.title}_list`, 'One page of a list, newest first.', {
    object: only('list', 'The kind of object.'),
    url: words('The path of the list.'),
    data: many(item, 'The objects of this page.'),
    has_more: yesNo('Whether more follow in the direction that was asked for.'),
  })
}
