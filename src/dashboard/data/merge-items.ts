/** Returns all objects once, each in the state and at the place of the first list that has it. */
export function mergeItems<T extends { readonly id: string }>(...lists: readonly (readonly T[])[]): T[] {
  const found = new Map<string, T>()
  for (const item of lists.flat()) if (!found.has(item.id)) found.set(item.id, item)
  return [...found.values()]
}
