import PluginAPI
import PluginStore

/// The codes of the library that keeps what is cached.
enum StoreCodes {
  static let all = StoreError.errorCodes
}
