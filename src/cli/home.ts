import { homeFolder } from '../domain/home.ts'

/** The folder in which this user's paycli keeps its files. */
export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  return homeFolder(env, process.getBuiltinModule('node:os').homedir())
}
