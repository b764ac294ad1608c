import { StartupProblem } from '../domain/startup-problem.ts'

/** A database file that is not as paycli wrote it: names the file and the byte, and is never repaired silently. */
export class DatabaseDamaged extends StartupProblem {
  readonly file: string
  readonly byte: number

  constructor(file: string, byte: number, what: string) {
    super(
      'database_damaged',
      `${file} is damaged at byte ${byte}: ${what}. Nothing was changed. Restore the folder from a copy, or see what can be saved with: paycli doctor --db ${file.replace(/\.journal-\d+$/, '')} --salvage <new file>`,
    )
    this.name = 'DatabaseDamaged'
    this.file = file
    this.byte = byte
  }
}
