import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { printData } from '../output/output.ts'

/** Copies text to the clipboard: with `pbcopy` on macOS, elsewhere with the terminal sequence OSC 52. */
export async function copyText(text: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform !== 'darwin') {
    printData(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
    return
  }
  const child = spawn('pbcopy', { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(text)
  await once(child, 'close')
}
