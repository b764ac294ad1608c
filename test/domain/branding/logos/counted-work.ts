type Method = (this: unknown, ...args: unknown[]) => unknown

/**
 * Methods that read or build strings, arrays or maps, each with the number of characters or entries that a call
 * handles.
 */
const COUNTED: readonly (readonly [
  prototype: object,
  name: string,
  workOf: (self: unknown, result: unknown, args: readonly unknown[]) => number,
])[] = [
  ...['split', 'replaceAll', 'matchAll', 'trim', 'toLowerCase', 'includes', 'lastIndexOf'].map(
    (name) => [String.prototype, name, lengthOf] as const,
  ),
  [
    String.prototype,
    'indexOf',
    (self, result, [, from = 0]) => searchedBy(lengthOf(self), Number(result), Number(from)),
  ],
  [String.prototype, 'slice', (_, result) => lengthOf(result)],
  [RegExp.prototype, 'exec', (_, result) => lengthOf((result as readonly string[] | null)?.[0])],
  [Array.prototype, 'sort', lengthOf],
  [Map.prototype, 'set', () => 0],
  [Map.prototype, 'get', () => 0],
]

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0
}

function searchedBy(length: number, found: number, from: number): number {
  return (found < 0 ? length : found) - from
}

/**
 * Returns the work of a function: its calls of string, array and map methods, plus the characters and entries that they
 * handle. Unlike time, work is equal in every run. A search counts the characters that it reads; a regular expression
 * match counts only the matched characters.
 */
export function countWork(run: () => unknown): number {
  let work = 0
  const originals = COUNTED.map(([prototype, name]) => Reflect.get(prototype, name) as Method)
  for (const [index, [prototype, name, workOf]] of COUNTED.entries()) {
    const original = originals[index] as Method
    Reflect.set(prototype, name, function counted(this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args)
      work += 1 + workOf(this?.valueOf(), result, args)
      return result
    } satisfies Method)
  }
  try {
    run()
  } finally {
    for (const [index, [prototype, name]] of COUNTED.entries()) Reflect.set(prototype, name, originals[index])
  }
  return work
}
