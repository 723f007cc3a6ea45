import PluginAPI
import Testing

@testable import Tides

struct PredictionTests {
  @Test func `the speeds are the published ones`() {
    #expect(Constituent.findings().isEmpty)
  }

  @Test func `mean moon and sun stand together at a new moon and apart at a full one`() {
    // New moon of 2000-01-06 18:14 and full moon of 2000-01-21 04:40 (Meeus, chapter 49); true and mean places differ
    // by up to 8° for the moon and 2° for the sun.
    let new = Astronomy(Instant(seconds: 947_182_440))
    let full = Astronomy(Instant(seconds: 948_429_600))
    #expect(abs(Degrees.reduced(new.moon - new.sun + 180) - 180) < 10)
    #expect(abs(Degrees.reduced(full.moon - full.sun) - 180) < 10)
  }

  @Test func `the node was in the vernal equinox in June 2006`() {
    // The major lunar standstill of 2006-06-19.
    let sky = Astronomy(Instant(seconds: 1_150_675_200))
    #expect(abs(Degrees.reduced(sky.node + 180) - 180) < 1)
  }

  @Test func `the moon's tide is high when the mean moon stands in the south or the north`() throws {
    var station = Station.equilibrium("equator", latitude: 0, longitude: 0)
    station.constants = station.constants.filter { $0.constituent == .m2 }
    let start = Instant(seconds: 1_795_132_800)
    let prediction = try Prediction(station, from: start, hours: 72, stepInMinutes: 60)
    let highs = prediction.extremes.filter { $0.kind == .high }
    #expect(highs.count == 6)
    for high in highs {
      let sky = Astronomy(high.time)
      // Half a minute of time is a quarter of a degree of the tide; the node moves it by up to 2.1°.
      #expect(abs(Degrees.reduced(2 * (sky.hourAngle - sky.moon + sky.sun) + 180) - 180) < 2.6)
    }
    let gaps = zip(highs, highs.dropFirst()).map { $1.time.seconds(since: $0.time) / 3600 }
    #expect(gaps.allSatisfy { abs($0 - 12.4206) < 0.04 })
  }

  @Test func `springs follow new and full moon, neaps the quarters`() throws {
    let station = Station.equilibrium("equator", latitude: 0, longitude: 0)
    func range(_ seconds: Int64) throws -> Double {
      let start = Instant(seconds: seconds - 43_200)
      let heights = try Prediction(station, from: start, hours: 24, stepInMinutes: 5).heights
      return (heights.max() ?? 0) - (heights.min() ?? 0)
    }
    // 2000: new moon January 6, first quarter January 14 13:34, full moon January 21.
    #expect(try range(947_182_440) > 1.5 * range(947_856_840))
    #expect(try range(948_429_600) > 1.5 * range(947_856_840))
  }
}
