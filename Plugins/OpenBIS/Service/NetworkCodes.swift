import PluginAPI
import PluginNet

/// The codes of the libraries by which servers are asked.
enum NetworkCodes {
  static let all = HTTPError.errorCodes
}
