// dotnet add package Testcontainers and xunit. The image is built from deploy/Containerfile and tagged standin.
using System.Net.Http.Json;
using System.Text.Json;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Containers;
using Xunit;

public sealed class StandinTests : IAsyncLifetime
{
    private readonly IContainer sandbox = new ContainerBuilder()
        .WithImage("standin")
        .WithEnvironment("STANDIN_CONTROL", "open")
        .WithEnvironment("STANDIN_MEMORY", "true")
        .WithPortBinding(4010, true)
        .WithWaitStrategy(Wait.ForUnixContainer().UntilHttpRequestIsSucceeded(
            request => request.ForPort(4010).ForPath("/healthz")))
        .Build();

    public Task InitializeAsync() => sandbox.StartAsync();

    public Task DisposeAsync() => sandbox.DisposeAsync().AsTask();

    [Fact]
    public async Task APersonGetsACodeAndVerifiesAPhone()
    {
        var url = $"http://{sandbox.Hostname}:{sandbox.GetMappedPublicPort(4010)}";
        using var http = new HttpClient { BaseAddress = new Uri(url) };
        http.DefaultRequestHeaders.Add("X-Service-Key", $"svc_test_{Guid.NewGuid():N}");

        var started = await Post(http, "/v1/phone/verify/start", new { phone = "08031234567" });
        var message = await http.GetFromJsonAsync<JsonElement>("/_sandbox/inbox/wait?to=08031234567");
        var code = message.GetProperty("codes")[0].GetString();
        var id = started.GetProperty("id").GetString();
        var check = await Post(http, "/v1/phone/verify/check", new { id, code });

        Assert.True(check.GetProperty("verified").GetBoolean());
    }

    private static async Task<JsonElement> Post(HttpClient http, string path, object body)
    {
        var response = await http.PostAsJsonAsync(path, body);
        return await response.Content.ReadFromJsonAsync<JsonElement>();
    }
}
