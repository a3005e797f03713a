<?php
/**
 * A webhook receiver on PHP alone. Run it with
 *
 *     WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:3000 receiver.php
 */

declare(strict_types=1);

const LARGEST = 1024 * 1024;

function is_genuine(string $rawBody, string $signature, string $secret): bool
{
    return hash_equals(hash_hmac('sha256', $rawBody, $secret), $signature);
}

/**
 * A repeated delivery has the same bytes and signature. In production, store signatures in a database as a unique key;
 * here, only the first delivery can create the file.
 */
function is_news(string $signature): bool
{
    $file = @fopen(sys_get_temp_dir() . '/delivery-' . $signature, 'x');
    return $file !== false && fclose($file);
}

function handle(string $rawBody, string $signature, string $secret): int
{
    if (!is_genuine($rawBody, $signature, $secret)) {
        return 401;
    }
    try {
        $event = json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        return 400;
    }
    if (is_news($signature)) {
        // Queue the event here and process it later: the answer must be sent within ten seconds.
        error_log($event['event']);
    }
    return 204;
}

$secret = getenv('WEBHOOK_SECRET');
if ($secret === false || $secret === '') {
    error_log('WEBHOOK_SECRET is not set');
    http_response_code(500);
    return;
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    return;
}
// Reads one byte beyond the limit to detect a body that is too large.
$rawBody = (string) file_get_contents('php://input', false, null, 0, LARGEST + 1);
http_response_code(
    strlen($rawBody) > LARGEST ? 413 : handle($rawBody, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $secret)
);
