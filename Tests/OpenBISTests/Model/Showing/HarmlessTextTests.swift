import PluginText
import Testing

@testable import OpenBIS

@Suite struct HarmlessTextTests {
  @Test func `at least 200 hostile texts are distinct`() {
    #expect(Set(HostileTexts.all.map { Array($0.utf8) }).count >= 200)
  }

  @Test func `every hostile text is sanitized`() {
    for text in HostileTexts.all {
      #expect(Harm.found(in: SanitizedText.line(text)).isEmpty, "\(text.debugDescription)")
      #expect(Harm.found(in: SanitizedText.block(text), allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
      #expect(
        Harm.found(in: ShownValue(text, limit: nil).text, allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
    }
  }
}
