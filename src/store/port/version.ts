import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

const PACKAGE = findPackageJSON(import.meta.url) ?? ''

/** The version of the paycli package. */
export const PAYCLI_VERSION: string = JSON.parse(readFileSync(PACKAGE, 'utf8')).version
