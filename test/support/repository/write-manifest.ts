import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { commandReference } from './command-reference.ts'
import { withEventTable } from './event-table.ts'
import { currentManifest, manifestText } from './manifest.ts'

const GUIDE = join(ROOT, '.github', 'guides', 'webhooks.md')

const text = manifestText(await currentManifest(ROOT))
writeFileSync(join(ROOT, 'oclif.manifest.json'), text)
writeFileSync(join(ROOT, '.github', 'COMMANDS.md'), commandReference(text))
writeFileSync(GUIDE, withEventTable(readFileSync(GUIDE, 'utf8')))
