extension NativeService {
  /// Returns the files of a data set from the data store that holds it; tries all data stores if it is unknown.
  ///
  /// - Throws: Errors of the data store; with several, those of the last one if none responds.
  func files(of code: String, among stores: [NativeDataStore]) async throws -> [DataSetFile] {
    if stores.count > 1 {
      let owner = try await objects(.dataSet, [code]).first?.dataStore
      if let store = stores.first(where: { $0.code == owner }) {
        return try await files(of: code, at: store.downloadAddress)
      }
    }
    var failure: (any Error)?
    var hasAnswer = false
    for store in stores {
      do {
        let found = try await files(of: code, at: store.downloadAddress)
        if !found.isEmpty { return found }
        hasAnswer = true
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failure = error
      }
    }
    if let failure, !hasAnswer { throw failure }
    return []
  }
}
