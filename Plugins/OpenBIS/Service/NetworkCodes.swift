import PluginAPI
import PluginNet

/// The error codes of the network libraries.
enum NetworkCodes {
  static let all = HTTPError.errorCodes
}
