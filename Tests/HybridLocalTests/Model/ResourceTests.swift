#if LocalLlama
  import Testing

  extension RealModel {
    /// What the engine holds of the process: threads, descriptors, memory.
    struct ResourceTests {
      @Test
      func `loads, unloads and a close leave neither threads, descriptors nor the model behind`()
        async throws
      {
        let (status, text) = try await LocalSpeedProcess.run([
          "--load-cycles", "6", "--threads", "2",
        ])
        #expect(status == 0, "\(text)")
        #expect(text.contains("threads of the engine: 0 after the first, 0 after the last"))
        #expect(text.contains("after close: 0 threads"))
      }

      @Test func `the foretold memory is within 15 percent of what a load takes`() async throws {
        let (status, text) = try await LocalSpeedProcess.run([
          "--memory", "512,2048,8192", "--filled", "512", "--threads", "2",
        ])
        #expect(status == 0, "\(text)")
        #expect(text.split(separator: "\n").count == 4, "\(text)")
      }

      @Test func `random requests leave neither slots, cells, threads nor descriptors behind`()
        async throws
      {
        let (status, text) = try await LocalSpeedProcess.run(["--requests", "15", "--threads", "1"])
        #expect(status == 0, "\(text)")
        #expect(text.contains("15 of 15 requests ended once"))
      }
    }
  }
#endif
