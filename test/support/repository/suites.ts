import { layers, lineAt } from './code-text.ts'
import type { SourceFile } from './source-files.ts'

/** The file that defines `suite`, which contains no suites. */
const SUITE_FILE = 'test/support/suite.ts'

/** Returns a problem for each uvu suite that is never run, which uvu does not report, and each test on `.only`. */
export function suitesNotRun(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('test/') && path.endsWith('.ts') && path !== SUITE_FILE)
    .flatMap((file) => {
      const { code } = layers(file)
      const made = [...code.matchAll(/\b(?:const|let)\s+(\w+)\s*=\s*suite\s*(?:<[^(]*>)?\(/g)].map(
        ([, name]) => name,
      )
      const calls = code.match(/(?<![.\w]|function )suite\s*(?:<[^(]*>)?\(/g)?.length ?? 0
      return [
        ...made
          .filter((name) => !new RegExp(`\\b${name}\\.run\\(\\)`).test(code))
          .map((name) => `${file.path} makes the suite '${name}' but never calls ${name}.run()`),
        ...(calls > made.length ? [`${file.path} makes a suite without keeping it in a constant`] : []),
        ...[...code.matchAll(/\.only\(/g)].map(
          ({ index }) => `${file.path}:${lineAt(code, index)} skips every other test with .only()`,
        ),
      ]
    })
}
