/** An edit of the code that breaks one rule, and the test that must see it. */
export interface Mutation {
  /** Which rule, by its number in the table that lists it, such as `webhooks 5`. */
  readonly rule: string
  /** What is wrong then, in a few words. */
  readonly breaks: string
  /** The file that is edited, from the top of the checkout. */
  readonly file: string
  /** Text that stands exactly once in the file, without anything of its types, and what stands there in its place. */
  readonly find: string
  readonly put: string
  /** The test file, and a part of the title of the test that fails, or never ends. */
  readonly test: string
  readonly title: string
}

/** The mutations of one file, each in a line: what is wrong, what is found, what is put, and the title that fails. */
export function mutationsOf(
  { rule, file, test }: Pick<Mutation, 'rule' | 'file' | 'test'>,
  lines: readonly (readonly [breaks: string, find: string, put: string, title: string])[],
): Mutation[] {
  return lines.map(([breaks, find, put, title]) => ({ rule, file, test, breaks, find, put, title }))
}

/** A text of the file, its source or what it is compiled to, with the rule broken; throws when it is not found once. */
export function mutated(text: string, { file, find, put }: Mutation): string {
  const parts = text.split(find)
  if (parts.length === 2) return parts.join(put)
  throw new Error(`${file} has '${find}' ${parts.length - 1} times in place of once: renew the mutation`)
}

/** What a source file is called once it is compiled. */
export function compiledName(file: string): string {
  return file.replace(/\.ts$/, '.js')
}
