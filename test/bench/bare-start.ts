import { createBareService } from './bare-service.ts'
import { listenLocally } from './local-ports.ts'

await listenLocally(createBareService({ record: {}, page: {} }), Number(process.argv[2]))
