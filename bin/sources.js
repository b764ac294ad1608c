// Hashes the sources, so that `npm run build` can skip an unchanged build. The file is not published.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that a build reads. The lock file determines the packages in the bundles. */
const SOURCES = [
  '{bin,commands,src,test}/**/*.{css,js,json,mjs,ts,tsx}',
  '{package,package-lock,tsconfig}.json',
  '.github/{COMMANDS,guides/*}.md',
]

/** Returns a hash of the names and contents of all sources below a folder. */
export function hashSources(root) {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}
