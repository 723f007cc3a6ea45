import PluginAPI
import PluginServer

extension SimulatorCore {
  func fileListOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    throw .unknownMethod(call.method)
  }
  func dataStoreOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    throw .unknownMethod(call.method)
  }
  func nativeOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    throw .unknownMethod(call.method)
  }
  func dataSetFile(_ parts: [String], _ request: ServerRequest, _ user: SimulatorConfiguration.User) -> ServerResponse {
    ServerResponse(404, text: "not found\n")
  }
}
