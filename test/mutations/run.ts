import { parseArgs } from 'node:util'
import { ALL_MUTATIONS } from './all.ts'
import type { Mutation } from './mutation.ts'
import { type MutationSandbox, openMutationSandbox, type TestFileResult } from './mutation-sandbox.ts'

const USAGE = `Breaks each numbered rule in a copy of the compiled code and expects its test to fail.
usage: npm run mutate -- [part of a rule, a file or a title …]
`

/** Returns why a mutation is not detected, or null. */
function undetectedReason({ title }: Mutation, { failed, isGreen }: TestFileResult): string | null {
  if (isGreen) return 'no test fails'
  // A test that hangs has no results.
  if (failed.length === 0) return null
  if (failed.some((one) => one.includes(title))) return null
  return `'${title}' does not fail, but ${failed.join(' | ')}`
}

async function tryMutation(trial: MutationSandbox, mutation: Mutation): Promise<string | null> {
  try {
    const ended = await trial.mutate(mutation)
    return undetectedReason(mutation, ended)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function runMutations(trial: MutationSandbox, mutations: readonly Mutation[]): Promise<number> {
  let unproven = 0
  for (const test of new Set(mutations.map((mutation) => mutation.test))) {
    const { isGreen, failed } = await trial.run(test)
    if (!isGreen) throw new Error(`${test} fails without any mutation: ${failed.join(' | ')}`)
  }
  for (const mutation of mutations) {
    const { rule, breaks } = mutation
    const problem = await tryMutation(trial, mutation)
    if (problem !== null) unproven += 1
    process.stdout.write(
      `${problem === null ? '✓' : '✗'} ${rule}: ${breaks}${problem === null ? '' : `\n    ${problem}`}\n`,
    )
  }
  return unproven
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const isChosen = ({ rule, file, title, breaks }: Mutation) =>
    positionals.length === 0 ||
    positionals.some((part) => `${rule}: ${breaks} ${file} ${title}`.includes(part))
  const chosen = ALL_MUTATIONS.filter(isChosen)
  if (chosen.length === 0) {
    process.stderr.write(`No mutation matches '${positionals.join(' ')}'.\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const trial = openMutationSandbox()
  try {
    const unproven = await runMutations(trial, chosen)
    process.stdout.write(`\n${chosen.length} mutations, ${unproven} unproven\n`)
    process.exitCode = unproven === 0 ? 0 : 1
  } finally {
    trial.clear()
  }
}

await main()
