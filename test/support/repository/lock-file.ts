const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/

/** Returns a problem for each version in package.json that is not exact. */
export function pins(packageJson: string): string[] {
  const json = JSON.parse(packageJson) as Record<string, Record<string, string> | undefined>
  return ['dependencies', 'devDependencies', 'optionalDependencies']
    .flatMap((group) => Object.entries(json[group] ?? {}))
    .filter(([, version]) => !EXACT_VERSION.test(version))
    .map(([name, version]) => `package.json has ${name} ${version}: pin an exact version`)
}

/** Returns a problem for each host in package-lock.json: every machine installs from its own registry. */
export function lockHosts(lock: string): string[] {
  const hosts = new Set([...lock.matchAll(/"resolved": "(?:[a-z+]+:)?\/\/([^/"]+)/g)].map(([, host]) => host))
  return [...hosts].map(
    (host) => `package-lock.json names the host ${host}: lock with omit-lockfile-registry-resolved`,
  )
}

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> }

/** Returns whether a package at `path` resolves `name` in its own node_modules or in a parent folder. */
function isLocked({ packages }: Lock, path: string, name: string): boolean {
  if (packages[`${path && `${path}/`}node_modules/${name}`]) return true
  const up = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))
  return path !== '' && isLocked({ packages }, up, name)
}

/** Returns a problem for each optional package package-lock.json leaves out: npm ci rejects such a lock. */
export function lockGaps(lock: string): string[] {
  const json = JSON.parse(lock) as Lock
  return Object.entries(json.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(json, path, name))
      .map((name) => `package-lock.json leaves out ${name}, which ${path} names: npm ci would fail`),
  )
}

type Integrities = { packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }> }

/** Returns a problem for each registry package in package-lock.json without a SHA-512 integrity value. */
export function lockIntegrity(lock: string): string[] {
  const { packages } = JSON.parse(lock) as Integrities
  return Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle)
    .filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
    .map(([path]) => `package-lock.json has no integrity for ${path}: lock a version the registry serves`)
}

type Engines = { packages: Record<string, { version?: string; engines?: { node?: string } }> }

/** Returns a problem for each package with a Node.js version in package-lock.json: npm would warn in every clone. */
export function lockEngines(lock: string): string[] {
  const { packages } = JSON.parse(lock) as Engines
  return Object.entries(packages)
    .filter(([path, { engines }]) => path !== '' && engines !== undefined)
    .map(([path]) => `package-lock.json has engines of ${path}: delete them`)
}

/** Returns the paths of the packages that THIRD-PARTY-LICENSES of the bundle lists. */
export function bundledPackages(licenses: string, lock: string): string[] {
  const { packages } = JSON.parse(lock) as Engines
  const listed = new Set(licenses.split(/^-{78}\n\n/m).map((entry) => /^\S+ \S+/.exec(entry)?.[0]))
  return Object.entries(packages)
    .filter(([path, { version }]) => listed.has(`${path.split('node_modules/').at(-1)} ${version}`))
    .map(([path]) => path)
}

/** Returns a problem for each package.json, by path, that needs a newer Node.js than the oldest version for paycli. */
export function newerEngines(oldest: string, bundled: ReadonlyMap<string, string>): string[] {
  return [...bundled].flatMap(([path, json]) => {
    const range = (JSON.parse(json) as Engines['packages'][string]).engines?.node
    if (range === undefined || range.split('||').some((part) => isWithin(versionNumber(oldest), part)))
      return []
    return [`${path} needs Node ${range}, newer than ${oldest}`]
  })
}

const COMPARATOR = /(>=|<|\^)?\s*(\d[\dx.]*)/g

function isWithin(version: number, range: string): boolean {
  return [...range.matchAll(COMPARATOR)].every(([, comparator, text = '']) => {
    if (comparator === '<') return version < versionNumber(text)
    const isOfMajor = comparator === '>=' || Math.floor(version / 1e6) === Number(text.split('.')[0])
    return isOfMajor && version >= versionNumber(text)
  })
}

/** Returns a version as a number with the same sort order. */
function versionNumber(text: string): number {
  const [major = 0, minor = 0, patch = 0] = text
    .replace(/^\D+/, '')
    .split('.')
    .map((part) => Number(part) || 0)
  return major * 1e6 + minor * 1e3 + patch
}
