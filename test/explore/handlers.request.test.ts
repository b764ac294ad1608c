import { testHandlerPairs } from './handler-tests.ts'

testHandlerPairs('request')
