/** A change of the code that breaks one rule, and the test that must fail. */
export interface Mutation {
  /** The number of the rule in its table, such as `webhooks 5`. */
  readonly rule: string
  /** A short description of the fault. */
  readonly breaks: string
  /** The changed file, relative to the repository root. */
  readonly file: string
  /** Text that occurs exactly once in the file, without type annotations, and its replacement. */
  readonly find: string
  readonly put: string
  /** The test file, and a part of the title of the test that must fail or hang. */
  readonly test: string
  readonly title: string
}

/** The rule and the file of mutations, and their test file (default: the one named after the file). */
interface MutationTarget {
  readonly rule: string
  readonly file: string
  readonly test?: string
}

/** Returns the mutations of one file from rows of fault, text, replacement and title of the failing test. */
export function mutationsOf(
  { rule, file, test = `test/${file.replace(/^src\/|\.ts$/g, '')}.test.ts` }: MutationTarget,
  lines: readonly (readonly [breaks: string, find: string, put: string, title: string])[],
): Mutation[] {
  return lines.map(([breaks, find, put, title]) => ({ rule, file, test, breaks, find, put, title }))
}

/** Returns the source or compiled text of the file with the mutation; throws unless `find` occurs exactly once. */
export function applyMutation(text: string, { file, find, put }: Mutation): string {
  const parts = text.split(find)
  if (parts.length === 2) return parts.join(put)
  throw new Error(`${file} has '${find}' ${parts.length - 1} times, expected once: update the mutation`)
}

/** Returns the name of a compiled source file. */
export function compiledName(file: string): string {
  return file.replace(/\.ts$/, '.js')
}
