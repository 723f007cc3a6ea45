import PluginAPI

extension Station {
  /// Returns the review of captures, with the scorer that the user has set.
  func review(_ context: any PluginContext, _ records: RecordStore) -> CaptureReview {
    let path = context.setting(WSABISettings.scorer).text ?? ""
    return CaptureReview(records: records, program: path.isEmpty ? nil : ScorerProgram(path: path))
  }
}
