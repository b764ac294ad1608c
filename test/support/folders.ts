import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

process.on('exit', () => {
  // A server that is stopping may still write, so removing its folder may fail at first.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Creates a folder in the system's temporary folder, or in `parent`, and removes the folder when the process ends. */
export function newFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'paycli-test-'))
  folders.push(folder)
  return folder
}
