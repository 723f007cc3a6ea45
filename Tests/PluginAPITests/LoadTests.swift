import PluginAPI
import Testing

/// Work of screens without a result.
struct LoadTests {
  @Test func `a failure is described by its error, and a cancellation by the screen's text`() {
    let report = ErrorReport(code: "tides.gone", kind: .notFound, "it is gone", advice: "wait")
    #expect(Load.Failure.failed(report).text(ifCanceled: "reading canceled") == "it is gone; wait")
    #expect(Load.Failure.canceled.text(ifCanceled: "reading canceled") == "reading canceled")
  }
}
