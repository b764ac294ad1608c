import { createBareService, listenLocally } from './bare-service.ts'

await listenLocally(createBareService({ record: {}, page: {} }), Number(process.argv[2]))
