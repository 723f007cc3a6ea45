import PluginAPI
import PluginStore

/// The error codes of the store library.
enum StoreCodes {
  static let all = StoreError.errorCodes
}
