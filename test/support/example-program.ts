import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

/** The exit code and output of a program. */
export interface ProgramResult {
  readonly code: number
  readonly output: string
}

/** Runs Node with arguments in a folder; resolves with any exit code. */
export function runNode(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? -1)
      resolve({ code, output: stdout + stderr })
    })
  })
}

/** Compiles every TypeScript source of a folder in strict mode, without the settings of this project. */
export function compileStrictly(
  folder: string,
  options: Readonly<Record<string, unknown>>,
): Promise<ProgramResult> {
  const compilerOptions = {
    target: 'es2023',
    strict: true,
    rootDir: '.',
    outDir: 'out',
    types: [],
    ...options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  return runNode([join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], folder)
}
