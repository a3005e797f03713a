<?php

declare(strict_types=1);

/** A shop that pays out its earnings and verifies phones. It knows the service, but not the sandbox. */
final class Shop
{
    /** The last known status of each payout. */
    public array $payouts = [];
    private string $webhookSecret = '';

    public function __construct(private readonly string $baseUrl, private readonly string $key)
    {
    }

    public function sendCode(string $phone): string
    {
        return $this->call('POST', '/v1/phone/verify/start', ['phone' => $phone])['id'];
    }

    public function isRightCode(string $id, string $code): bool
    {
        return $this->call('POST', '/v1/phone/verify/check', ['id' => $id, 'code' => $code])['verified'];
    }

    /** Requests a payout in naira and returns its id. */
    public function payOut(int $amount): string
    {
        $payout = $this->call('POST', '/v1/business/payouts', ['amount' => $amount]);
        $this->payouts[$payout['id']] = $payout['status'];
        return $payout['id'];
    }

    /** Returns the naira available for payouts. */
    public function available(): float
    {
        return (float) $this->call('GET', '/v1/business/overview')['available'];
    }

    public function registerWebhook(string $url): void
    {
        $this->webhookSecret = $this->call('POST', '/v1/webhooks', ['url' => $url])['secret'];
    }

    /** Handles a delivery and returns the HTTP status of the reply. */
    public function takeWebhook(string $rawBody, string $signature): int
    {
        if (!hash_equals(hash_hmac('sha256', $rawBody, $this->webhookSecret), $signature)) {
            return 401;
        }
        ['event' => $event, 'data' => $data] = json_decode($rawBody, true);
        // Deliveries can arrive out of order; a final status stays.
        $isNews = $event !== 'payout.requested' || !isset($this->payouts[$data['id']]);
        if (str_starts_with($event, 'payout.') && $isNews) {
            $this->payouts[$data['id']] = $data['status'];
        }
        return 200;
    }

    private function call(string $method, string $path, ?array $body = null): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => ["X-Service-Key: $this->key", 'Content-Type: application/json'],
            'content' => $body === null ? '' : json_encode($body),
            'ignore_errors' => true,
        ]]);
        $reply = json_decode((string) file_get_contents($this->baseUrl . $path, false, $context), true);
        if (isset($reply['error'])) {
            throw new RuntimeException("$method $path: {$reply['error']['message']}");
        }
        return $reply;
    }
}
