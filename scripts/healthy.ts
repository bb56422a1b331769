import { SERVICE_API } from '#domain/paths.ts'

import { loadConfig } from './process.ts'

// The health check of the image, which has no other client: exits with 0 if the server with these settings is alive.

const { port, basePath } = loadConfig()
const isHealthy = await fetch(`http://127.0.0.1:${port}${basePath}${SERVICE_API.health}`).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isHealthy ? 0 : 1)
