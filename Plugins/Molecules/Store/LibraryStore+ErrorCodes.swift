import PluginAPI
import PluginStore

extension LibraryStore {
  /// The stable codes of what a store of any plugin can tell.
  static let errorCodes: [ErrorCodeDescription] = StoreError.errorCodes
}
