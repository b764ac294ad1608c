import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const BLOCK_BYTES = 512
const EXECUTABLE = 0o700
const REGULAR_FILE = new Set(['0', '\0', ''])

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Writes the regular files of a ustar archive below `folder`, all of them executable; ignores every other entry. */
export function untar(archive: Buffer, folder: string): void {
  let offset = 0
  while (offset + BLOCK_BYTES <= archive.length && archive[offset] !== 0) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES)
    const size = Number.parseInt(text(header.subarray(124, 136)).trim(), 8)
    const name = join(text(header.subarray(345, 500)), text(header.subarray(0, 100)))
    if (!Number.isSafeInteger(size) || name.startsWith('..')) {
      throw new Error(`cannot unpack '${name}': not a plain ustar entry`)
    }
    const start = offset + BLOCK_BYTES
    if (REGULAR_FILE.has(text(header.subarray(156, 157)))) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, archive.subarray(start, start + size), { mode: EXECUTABLE })
    }
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
}
