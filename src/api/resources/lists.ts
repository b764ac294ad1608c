import { arrayOf, boolean, constant, type Exactly, type ExactObject, text, titledObject } from './fields.ts'

/** One page of a list, newest first. */
export interface List<T> {
  readonly object: 'list'
  readonly url: string
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** Returns the schema of a page of objects. */
export function listOf<T>(item: ExactObject<T>): Exactly<List<T>> {
  return titledObject<List<T>>(`${item.title}_list`, 'One page of a list, newest first.', {
    object: constant('list', 'The type of the object.'),
    url: text('The path of the list.'),
    data: arrayOf(item, 'The objects of this page.'),
    has_more: boolean('Whether there are more objects in the direction of the request.'),
  })
}
