import Testing

@testable import WSABI

@Suite struct CaptureTextTests {
  @Test(arguments: [
    ("2026-11-22T00:39:50.1190000Z", "2026-11-22 00:39:50 UTC"), ("2026-11-22T00:39:50", "2026-11-22 00:39:50"),
    ("2011-12-05T20:01:19.3921234-05:00", "2011-12-05 20:01:19 -05:00"), ("2026-11-22T00:39:50Zulu", nil),
    ("2026-11-22", nil), ("Finger", nil), ("", nil), ("2026-11-22T00:39:5x", nil), ("2026-11-22T00:39:50+1", nil),
  ]) func `timestamps are shown without letters and fractions, and other text is not a timestamp`(
    _ text: String, _ shown: String?
  ) {
    #expect(CaptureText.moment(text) == shown)
  }

  @Test(arguments: [
    ("captureDate", "Capture date"), ("modality", "Modality"), ("imageDPI", "Image DPI"), ("Width", "Width"),
    ("x-vendor key", "x-vendor key"), ("größe", "größe"), ("", ""),
  ]) func `metadata keys are shown as words`(_ key: String, _ shown: String) {
    #expect(CaptureText.label(key) == shown)
  }
}
