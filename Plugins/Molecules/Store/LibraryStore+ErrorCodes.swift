import PluginAPI
import PluginStore

extension LibraryStore {
  /// The stable codes of errors of any plugin's store.
  static let errorCodes: [ErrorCodeDescription] = StoreError.errorCodes
}
