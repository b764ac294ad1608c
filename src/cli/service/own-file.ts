import { newIdempotencyKey } from '../../client/idempotency-key.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { linkProblem, refusePlantedFile } from '../../store/disk/planted-file.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * Returns the text of a file of this user, or null when there is none; throws for a symbolic link and for a file of another
 * user. It is synchronous and loads nothing: every command reads such files before its request.
 */
export function readOwnFile(file: string): string | null {
  // Importing node:fs would load its streams too.
  const { closeSync, constants, fstatSync, openSync, readFileSync } = process.getBuiltinModule('node:fs')
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw codeOf(error) === 'ELOOP' ? usageOf(linkProblem(file)) : error
  }
  try {
    refusePlantedFile(file, fstatSync(handle), process.getuid?.())
    return readFileSync(handle, 'utf8')
  } catch (error) {
    throw error instanceof StartupProblem ? usageOf(error) : error
  } finally {
    closeSync(handle)
  }
}

/** Replaces a file of this user in one step, mode 0600; throws for what `readOwnFile` throws for. */
export async function writeOwnFile(file: string, text: string): Promise<void> {
  const { writePrivateFile } = await import('../../store/disk/private-file.ts')
  try {
    await writePrivateFile(file, text, newIdempotencyKey())
  } catch (error) {
    throw error instanceof StartupProblem ? usageOf(error) : error
  }
}

function usageOf({ message }: StartupProblem): UsageError {
  return new UsageError('file_invalid', message)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
