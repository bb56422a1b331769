import { execFileSync } from 'node:child_process'
import { isLoopback, type Config } from '../server/config.ts'
import { StartupError } from '../server/problem.ts'
import { root } from './process.ts'
import { startStandInProvider, type StandInProvider } from './stand-in-provider.ts'

/** Settings that name a sign-in provider, and the stand-in when it was started for them. */
export interface ProvidedConfig {
  readonly config: Config
  readonly provider?: StandInProvider
}

/**
 * Completes the settings of an installation with what the repository can provide: a stand-in
 * sign-in provider when none is set, and the git revision as the version.
 * @throws {StartupError} when the stand-in, which accepts everyone, could be reached by others.
 */
export const withProvider = async (settings: Config): Promise<ProvidedConfig> => {
  const named = { ...settings, appVersion: settings.appVersion || readRevision() }
  if (named.oidc) return { config: named }
  if (named.production || !isLoopback(named.host)) {
    const reason = named.production ? 'NODE_ENV=production' : `HOST=${named.host}`
    throw new StartupError(
      `The stand-in sign-in provider accepts everyone and is refused with ${reason}: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET (see .env.example).`,
    )
  }
  const provider = await startStandInProvider({
    origins: named.origins,
    basePath: named.basePath,
    dataDir: named.dataDir,
    ...(named.idpPort !== undefined && { port: named.idpPort }),
  })
  const { issuer, clientId, clientSecret } = provider
  const scopes = 'openid email profile'
  // It keeps no session that could be ended, and asks for the account each time.
  const oidc = { issuer, clientId, clientSecret, scopes, name: '', signOut: false }
  return { config: { ...named, oidc }, provider }
}

const readRevision = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
