import { createBareService } from './bare-service.ts'
import { listenLocally } from './listen-locally.ts'

await listenLocally(createBareService({ record: {}, page: {} }), Number(process.argv[2]))
